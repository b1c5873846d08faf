import type { Command } from './command.ts'
import { keyCreate, keyList, keyRevoke } from './commands/account-keys.ts'
import { backup, backupVerify } from './commands/backup.ts'
import { demo } from './commands/demo.ts'
import { doctor } from './commands/doctor.ts'
import { agentErase, ownerErase } from './commands/erase.ts'
import { agentExport, ownerExport } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { keyNew } from './commands/key-new.ts'
import { keysList } from './commands/keys-list.ts'
import { keysReissue } from './commands/keys-reissue.ts'
import { keysRevoke } from './commands/keys-revoke.ts'
import { keysRotate } from './commands/keys-rotate.ts'
import { lookup } from './commands/lookup.ts'
import { mcp } from './commands/mcp.ts'
import { memberInvite, memberList, memberRemove, memberSetRole } from './commands/members.ts'
import {
  operatorCreate,
  operatorList,
  operatorRevoke,
  operatorRotate,
} from './commands/operators.ts'
import { ownerInvite } from './commands/owner-invite.ts'
import { ownerResetLink } from './commands/owner-reset-link.ts'
import { ownerSetTier } from './commands/owner-set-tier.ts'
import { ownerActivate, ownerSuspend } from './commands/owner-status.ts'
import { platformCreate } from './commands/platform-create.ts'
import { policyDelete, policyList, policySet, policyTest } from './commands/policy.ts'
import { replay } from './commands/replay.ts'
import { restore } from './commands/restore.ts'
import { scoreDiff } from './commands/score-diff.ts'
import { scoreReplay } from './commands/score-replay.ts'
import { secretFinish, secretRotate } from './commands/secret.ts'
import { simulate } from './commands/simulate.ts'
import { verify } from './commands/verify.ts'
import { webhooksListen } from './commands/webhooks-listen.ts'

/** Every command, in the order in which `standing --help` lists them. */
export const COMMANDS: readonly Command[] = [
  demo,
  operatorCreate,
  operatorList,
  operatorRotate,
  operatorRevoke,
  platformCreate,
  ownerSetTier,
  ownerInvite,
  ownerResetLink,
  ownerSuspend,
  ownerActivate,
  ownerExport,
  ownerErase,
  agentExport,
  agentErase,
  memberInvite,
  memberList,
  memberSetRole,
  memberRemove,
  keyCreate,
  keyList,
  keyRevoke,
  keyNew,
  keysList,
  keysRotate,
  keysRevoke,
  keysReissue,
  doctor,
  secretRotate,
  secretFinish,
  backupVerify,
  backup,
  restore,
  scoreReplay,
  scoreDiff,
  simulate,
  verify,
  lookup,
  policyList,
  policySet,
  policyDelete,
  policyTest,
  mcp,
  webhooksListen,
  importCommand,
  replay,
]
