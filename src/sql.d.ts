declare module '*.css' {
  const text: string
  export default text
}

declare module '*.sql' {
  const text: string
  export default text
}
