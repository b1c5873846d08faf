import { rulesPage } from '../src/fraud/page.ts'
import { writeOrCheck } from './generated.mjs'

await writeOrCheck('docs/fraud-rules.md', rulesPage(), {
  source: 'the rules',
  script: 'docs:rules',
})
