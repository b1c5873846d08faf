/** The package's version (a test holds the two together); a bundler in a browser reads no package.json. */
export const VERSION = '0.1.0'
