/**
 * Amounts in one measure. The rates are rough on purpose and fixed by a version: the exposure limit goes with the
 * logarithm of an amount, and it must come out the same whenever a log is replayed.
 * To update: replace the figures, set RATES_VERSION to their date and raise MODEL_VERSION.
 */
export const RATES_VERSION = '2025-01'

/** US dollars for one unit, about, of every ISO 4217 currency in use. */
// biome-ignore format: one line a currency would be two hundred.
const USD_PER_UNIT: Readonly<Record<string, number>> = {
  AED: 0.272, AFN: 0.014, ALL: 0.0106, AMD: 0.0025, ANG: 0.559, AOA: 0.0011, ARS: 0.00097,
  AUD: 0.62, AWG: 0.556, AZN: 0.588, BAM: 0.53, BBD: 0.5, BDT: 0.0082, BGN: 0.53, BHD: 2.65,
  BIF: 0.00034, BMD: 1, BND: 0.73, BOB: 0.145, BRL: 0.165, BSD: 1, BTN: 0.0116, BWP: 0.072,
  BYN: 0.306, BZD: 0.5, CAD: 0.695, CDF: 0.00035, CHF: 1.1, CLP: 0.001, CNY: 0.137, COP: 0.00023,
  CRC: 0.00197, CUP: 0.0417, CVE: 0.0094, CZK: 0.0413, DJF: 0.0056, DKK: 0.139, DOP: 0.0164,
  DZD: 0.0074, EGP: 0.0197, ERN: 0.0667, ETB: 0.0078, EUR: 1.04, FJD: 0.43, FKP: 1.24, GBP: 1.24,
  GEL: 0.355, GHS: 0.067, GIP: 1.24, GMD: 0.0139, GNF: 0.000116, GTQ: 0.13, GYD: 0.0048,
  HKD: 0.128, HNL: 0.0393, HTG: 0.00766, HUF: 0.00253, IDR: 0.0000615, ILS: 0.276, INR: 0.0116,
  IQD: 0.000763, IRR: 0.0000238, ISK: 0.0071, JMD: 0.0064, JOD: 1.41, JPY: 0.0064, KES: 0.0077,
  KGS: 0.0115, KHR: 0.000248, KMF: 0.0021, KPW: 0.00111, KRW: 0.00069, KWD: 3.24, KYD: 1.2,
  KZT: 0.0019, LAK: 0.0000457, LBP: 0.0000112, LKR: 0.0034, LRD: 0.0053, LSL: 0.0533, LYD: 0.203,
  MAD: 0.0995, MDL: 0.0537, MGA: 0.000213, MKD: 0.0169, MMK: 0.000476, MNT: 0.00029, MOP: 0.125,
  MRU: 0.0251, MUR: 0.0214, MVR: 0.0649, MWK: 0.000577, MXN: 0.0485, MYR: 0.223, MZN: 0.0156,
  NAD: 0.0533, NGN: 0.00065, NIO: 0.0272, NOK: 0.088, NPR: 0.00724, NZD: 0.562, OMR: 2.6, PAB: 1,
  PEN: 0.267, PGK: 0.247, PHP: 0.0171, PKR: 0.00359, PLN: 0.244, PYG: 0.000127, QAR: 0.275,
  RON: 0.209, RSD: 0.0089, RUB: 0.0098, RWF: 0.00072, SAR: 0.266, SBD: 0.118, SCR: 0.0697,
  SDG: 0.00166, SEK: 0.0905, SGD: 0.73, SHP: 1.24, SLE: 0.0439, SOS: 0.00175, SRD: 0.0285,
  SSP: 0.00025, STN: 0.0424, SVC: 0.114, SYP: 0.0000769, SZL: 0.0533, THB: 0.0291, TJS: 0.0917,
  TMT: 0.286, TND: 0.312, TOP: 0.416, TRY: 0.028, TTD: 0.147, TWD: 0.0304, TZS: 0.0004,
  UAH: 0.0237, UGX: 0.000271, USD: 1, UYU: 0.0228, UZS: 0.0000771, VED: 0.0187, VES: 0.0187,
  VND: 0.0000395, VUV: 0.0082, WST: 0.354, XAF: 0.00159, XCD: 0.37, XCG: 0.559, XOF: 0.00159,
  XPF: 0.0087, YER: 0.00401, ZAR: 0.0533, ZMW: 0.0359, ZWG: 0.0388,
}

const RATES: ReadonlyMap<string, number> = new Map(Object.entries(USD_PER_UNIT))

/** Codes of ISO 4217 that name funds, units of account, metals, or nothing: valid, without a rate. */
// biome-ignore format: as above.
const UNRATED: ReadonlySet<string> = new Set([
  'BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XAD', 'XAG', 'XAU', 'XBA', 'XBB',
  'XBC', 'XBD', 'XDR', 'XPD', 'XPT', 'XSU', 'XTS', 'XUA', 'XXX',
])

/** Whether a code is one of ISO 4217, upper case as the standard writes it. */
export function isCurrency(code: string): boolean {
  return RATES.has(code) || UNRATED.has(code)
}

/** US dollars of an amount. Without a currency, or with one that has no rate, it is taken as dollars. */
export function toUsd(amount: number, currency = 'USD'): number {
  return currency === 'USD' ? amount : amount * (RATES.get(currency) ?? 1)
}
