import { render } from 'preact'
import { App } from './app.tsx'
import { startLanguage } from './messages/index.ts'
import 'uplot/dist/uPlot.min.css'
import '@standing/design/tokens.css'
import './styles/base.css'
import '@standing/design/drawings.css'
import './styles/frame.css'
import './styles/page.css'
import './styles/float.css'
import './styles/forms.css'
import './styles/states.css'
import './styles/lists.css'
import './styles/agents.css'
import './styles/agent.css'
import './styles/events.css'
import './styles/desk.css'
import './styles/operator.css'
import './styles/usage.css'

const root = document.getElementById('app')
if (root) {
  void startLanguage().then(() => render(<App />, root))
}
