/** What the files of deploy/ say to run. */
export function image(): {
  readonly instructions: readonly { readonly name: string; readonly rest: string }[]
  readonly sources: readonly string[]
  readonly build: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number }
  readonly entrypoint: readonly string[]
  readonly healthcheck: readonly string[]
  readonly stopSignal: string
}

export function unit(): { readonly env: Readonly<Record<string, string>> }
