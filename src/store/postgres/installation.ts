import type { InstallationRow } from '../installation.ts'
import { rowStore } from './row-store.ts'
import { tableOf } from './table.ts'

const INSTALLATION = tableOf<InstallationRow>('installation', { name: 'name', value: 'value' })

export const installationStore = rowStore<InstallationRow, Pick<InstallationRow, 'name'>>(
  INSTALLATION,
  { expectsDuplicates: true, savedBy: ['name'] },
)
