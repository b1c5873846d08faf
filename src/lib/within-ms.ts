/** The result of work, or this error where it takes longer than `maxMs`: the work itself goes on. */
export async function withinMs<T>(work: Promise<T>, maxMs: number, late: Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), maxMs)
  })
  try {
    return await Promise.race([work, isLate])
  } finally {
    clearTimeout(timer)
  }
}
