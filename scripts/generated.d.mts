/** Writes a generated file; with --check, only says whether the one that is there is current. */
export function writeOrCheck(
  file: string,
  text: string,
  from: { readonly source: string; readonly script: string },
): Promise<void>
