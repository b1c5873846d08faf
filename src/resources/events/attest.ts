import type { Attest } from './routes.ts'

/** No signature is looked for. */
export const attestNothing: Attest = async () => 'none'
