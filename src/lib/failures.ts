/** For work that goes on when a part of it fails: throws the first failure once every part was tried. */
export function throwFirst(failures: readonly unknown[]): void {
  if (failures.length > 0) {
    throw failures[0]
  }
}
