import type { IdentifierType } from '../domain/identifier.ts'
import type { Kind } from './kind.ts'
import { A2A_CARD } from './kinds/a2a-card.ts'
import { CAIP10, ERC8004 } from './kinds/accounts.ts'
import { DID } from './kinds/did.ts'
import { DOMAIN } from './kinds/domain.ts'
import { MCP_SERVER } from './kinds/mcp-server.ts'
import { OAUTH_CLIENT } from './kinds/oauth-client.ts'
import { SPIFFE } from './kinds/spiffe.ts'
import { WEB_BOT_AUTH } from './kinds/web-bot-auth.ts'

/** Every type of identifier. */
export const KINDS: Readonly<Record<IdentifierType, Kind>> = {
  did: DID,
  domain: DOMAIN,
  a2a_card: A2A_CARD,
  mcp_server: MCP_SERVER,
  web_bot_auth: WEB_BOT_AUTH,
  caip10: CAIP10,
  erc8004: ERC8004,
  oauth_client: OAUTH_CLIENT,
  spiffe: SPIFFE,
}
