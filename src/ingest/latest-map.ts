/** A Map that gives the entry of its latest key again without a search: for keys that come several times in a row. */
export class LatestMap<V> extends Map<string, V> {
  private latestKey = ''
  private latest: V | undefined = undefined

  override get(key: string): V | undefined {
    if (this.latest === undefined || key !== this.latestKey) {
      this.latest = super.get(key)
      this.latestKey = key
    }
    return this.latest
  }

  override set(key: string, value: V): this {
    this.latest = undefined
    return super.set(key, value)
  }

  override delete(key: string): boolean {
    this.latest = undefined
    return super.delete(key)
  }

  override clear(): void {
    this.latest = undefined
    super.clear()
  }
}
