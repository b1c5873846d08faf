import { t } from '../../messages/index.ts'
import { switchMode } from '../../session/enter.ts'
import { isTestMode } from '../../session/mode.ts'

export function ModeSwitch() {
  const { testData: texts } = t.value
  const isTest = isTestMode.value
  return (
    <button type="button" class={isTest ? '' : 'primary'} onClick={() => switchMode(!isTest)}>
      {isTest ? texts.leave : texts.enter}
    </button>
  )
}
