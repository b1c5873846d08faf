/** The last bit of a sum may fall either way; a real step is a billion times larger. */
export const DUST = 1e-9
