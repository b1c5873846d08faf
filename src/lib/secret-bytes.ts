/** The length of a master key. Apart from the vault: to read the settings takes no cryptography. */
export const SECRET_BYTES = 32
