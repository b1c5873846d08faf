declare module '@digitalbazaar/bitstring' {
  export class Bitstring {
    constructor(options: { readonly buffer: Uint8Array })
    static decodeBits(options: { readonly encoded: string }): Promise<Uint8Array>
    readonly length: number
    get(position: number): boolean
  }
}
