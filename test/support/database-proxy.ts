import { startProxy, type TcpProxy } from '../../lab/torture/proxy.ts'

/** A proxy in front of a test database, and how to reach the database through it. */
export async function startDatabaseProxy(
  databaseUrl: string,
): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
  const url = new URL(databaseUrl)
  const [host, port] = [url.searchParams.get('host'), url.searchParams.get('port')]
  const proxy = await startProxy({ path: `${host}/.s.PGSQL.${port}` })
  url.search = ''
  url.host = `127.0.0.1:${proxy.port}`
  return { proxy, url: url.href }
}
