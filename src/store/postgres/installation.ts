import type { InstallationRow, InstallationStore } from '../installation.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const INSTALLATION = tableOf<InstallationRow>('installation', { name: 'name', value: 'value' })

const rowsIn = rowStore<InstallationRow, Pick<InstallationRow, 'name'>>(INSTALLATION, {
  unique: '(name)',
  savedBy: ['name'],
})

export function installationStore(session: Session): InstallationStore {
  const rows = rowsIn(session)
  return {
    ...rows,
    get: async (name, options) => (await rows.find({ name }, options))?.value ?? null,
  }
}
