import { describe } from '../src/api/describe.ts'
import { writeOrCheck } from './generated.mjs'

const text = `${JSON.stringify(describe(), null, 2)}\n`
await writeOrCheck('openapi.json', text, { source: 'the routes', script: 'openapi' })
