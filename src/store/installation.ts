/** Facts about the installation, each set once. */
export interface InstallationStore {
  get(name: string): Promise<string | null>
  /** False when the value was set before; that value stays. */
  claim(name: string, value: string): Promise<boolean>
}
