/** The version of the service and of its command. */
export const VERSION = '0.1.0'
