import type { Command } from './command.ts'
import { doctor } from './commands/doctor.ts'
import { keysList } from './commands/keys-list.ts'
import { keysReissue } from './commands/keys-reissue.ts'
import { keysRevoke } from './commands/keys-revoke.ts'
import { keysRotate } from './commands/keys-rotate.ts'
import { ownerSetTier } from './commands/owner-set-tier.ts'
import { platformCreate } from './commands/platform-create.ts'
import { replay } from './commands/replay.ts'
import { scoreDiff } from './commands/score-diff.ts'
import { scoreReplay } from './commands/score-replay.ts'
import { verify } from './commands/verify.ts'
import { webhooksListen } from './commands/webhooks-listen.ts'

/** Every command, in the order in which `standing --help` lists them. */
export const COMMANDS: readonly Command[] = [
  platformCreate,
  ownerSetTier,
  keysList,
  keysRotate,
  keysRevoke,
  keysReissue,
  doctor,
  scoreReplay,
  scoreDiff,
  verify,
  webhooksListen,
  replay,
]
