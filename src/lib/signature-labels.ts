/** A message with more signatures than this has them for another purpose. */
const LABELS_MAX = 20

/** The labels of the signatures of a message (RFC 9421), by its Signature-Input header, in their order. */
export function labelsOf(signatureInput: string): readonly string[] {
  const found = [...signatureInput.matchAll(/(?:^|,)\s*([a-z*][a-z0-9_.*-]*)=\(/g)]
  return found.slice(0, LABELS_MAX).map(([, label]) => label ?? '')
}
