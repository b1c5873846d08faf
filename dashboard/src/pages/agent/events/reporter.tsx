import { known } from '../../../api/cache.ts'
import { type Rows, useList } from '../../../api/list.ts'
import { listPlatforms } from '../../../api/operator.ts'
import type { Platform, Reporter } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { session } from '../../../session/session.ts'
import { shortId } from '../../../ui/short-id.ts'

/** Who reported: by name where it is known, which is to the operator alone. */
export function ReporterName({ reporter }: { reporter: Reporter }) {
  const isListed = session.value?.kind === 'operator' && reporter.kind === 'platform'
  useList<Platform>(isListed ? 'platforms' : null, listPlatforms)
  return <span title={reporter.id}>{reporterName(reporter)}</span>
}

export function reporterName({ kind, id }: Reporter): string {
  const kindName = t.value.why.reporters[kind]
  if (kind !== 'platform') {
    return kindName
  }
  const platforms = known<Rows<Platform>>('platforms')?.rows ?? []
  return platforms.find((one) => one.id === id)?.name ?? `${kindName} ${shortId(id)}`
}
