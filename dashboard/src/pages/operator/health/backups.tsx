import type { Resource } from '../../../api/resource.ts'
import type { Backups as BackupsRead } from '../../../api/types.ts'
import { DAY_MS } from '../../../durations.ts'
import { bytes, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Command } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'

/** One a night is the rule; one may be missed. */
const FRESH_DAYS = 2

/** When a backup was last written and read again, and how to make one. */
export function Backups({ of }: { of: Resource<BackupsRead> }) {
  const { backups: texts } = t.value
  return (
    <Section title={texts.title}>
      <Loaded of={of}>
        {({ latest, databaseBytes }) => (
          <>
            {latest ? <Latest latest={latest} /> : <p class="banner">{texts.none}</p>}
            <p class="quiet">{texts.size(bytes(databaseBytes))}</p>
          </>
        )}
      </Loaded>
      <Command label={texts.make} text="standing backup standing-$(date +%F).backup" />
    </Section>
  )
}

function Latest({ latest }: { latest: NonNullable<BackupsRead['latest']> }) {
  const { backups: texts } = t.value
  const isOld = Date.now() - Date.parse(latest.asOf) > FRESH_DAYS * DAY_MS
  return (
    <>
      {isOld && <p class="banner">{texts.old}</p>}
      <Facts
        of={[
          [texts.asOf, <Time at={latest.asOf} />],
          [texts.verified, <Time at={latest.verifiedAt} />],
          [texts.file, <code>{latest.file}</code>],
          [
            texts.content,
            `${texts.rows(number(latest.rows), number(latest.tables), bytes(latest.bytes))}, ${
              latest.hasMasterKey ? texts.withKey : texts.withoutKey
            }`,
          ],
        ]}
      />
    </>
  )
}
