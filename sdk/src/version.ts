/** The package's version (a test compares the two); a bundler in a browser reads no package.json. */
export const VERSION = '0.1.0'
