/** The length of a master key. In a file of its own, so that reading the settings loads no cryptography. */
export const SECRET_BYTES = 32
