import { join } from 'node:path'
import ts from 'typescript'

export interface TypedDocument {
  /** The TypeScript type that the document has to have, and the declarations that it needs. */
  readonly type: string
  readonly declarations: string
  readonly value: unknown
}

/**
 * For each group of documents what the compiler finds wrong with them as literals of their types: unknown
 * names, missing ones, values that do not exist. Kubernetes and Grafana publish their formats to npm as
 * types alone. One run for all groups, because reading the types takes longer than checking documents.
 */
export function typeErrors(
  groups: readonly (readonly TypedDocument[])[],
): readonly (readonly string[])[] {
  const documents = groups.flat()
  const groupOf = groups.flatMap((group, i) => group.map(() => i))
  // Each document is in one line, below the declarations of all.
  const header = [...new Set(documents.map(({ declarations }) => declarations))].join('\n')
  const lines = documents.map(
    ({ type, value }, i) => `export const document${i}: ${type} = ${JSON.stringify(value)}`,
  )
  const source = ts.createSourceFile(FILE, `${header}\n${lines.join('\n')}`, ts.ScriptTarget.ESNext)
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => path === FILE || fileExists(path)
  host.getSourceFile = (path, ...more) => (path === FILE ? source : getSourceFile(path, ...more))
  const found = groups.map((): string[] => [])
  for (const { start = 0, messageText } of ts.getPreEmitDiagnostics(
    ts.createProgram([FILE], OPTIONS, host),
  )) {
    const { line } = source.getLineAndCharacterOfPosition(start)
    const message = ts.flattenDiagnosticMessageText(messageText, ' ')
    const errors = found[groupOf[line - header.split('\n').length] ?? -1]
    if (errors === undefined) {
      throw new Error(`the declarations of the documents are wrong: ${message}`)
    }
    errors.push(message)
  }
  return found
}

/** In the project's root: its packages are found from there. Never written. */
const FILE = join(import.meta.dirname, '../documents.virtual.ts')

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  lib: ['lib.es2015.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}

const RAW = '@grafana/schema/dist/esm/raw'

/**
 * JSON has the values of an enumeration and not its names; Grafana fills in what an option leaves out.
 * The options and the look of a panel depend on its kind.
 */
const GRAFANA = `
import type { Dashboard } from '@grafana/schema'
import type { Panel, RowPanel } from '${RAW}/dashboard/x/Dashboard_types.gen'
import type * as stat from '${RAW}/composable/stat/panelcfg/x/StatPanelCfg_types.gen'
import type * as table from '${RAW}/composable/table/panelcfg/x/TablePanelCfg_types.gen'
import type * as timeseries from '${RAW}/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen'
type Json<T> = T extends string ? \`\${T}\` : T extends number ? (number extends T ? T : \`\${T}\` extends \`\${infer N extends number}\` ? N : T) : T extends object ? { [K in keyof T]: Json<T[K]> } : T
type Partly<T> = T extends object ? { [K in keyof T]?: Partly<T[K]> } : T
interface Look<C> { defaults: Omit<NonNullable<Panel['fieldConfig']>['defaults'], 'custom'> & { custom?: Partly<C> }; overrides: NonNullable<Panel['fieldConfig']>['overrides'] }
interface Target { refId: string; datasource: { type: 'prometheus'; uid: string }; expr: string; legendFormat?: string; instant?: boolean; range?: boolean; format?: 'time_series' | 'table' | 'heatmap' }
type Drawn<N, O, C> = Omit<Panel, 'type' | 'options' | 'fieldConfig' | 'targets'> & { type: N; options?: Partly<O>; fieldConfig?: Look<C>; targets: Target[] }
`

export function grafanaDashboard(value: { readonly panels: readonly { type: string }[] }) {
  const { panels, ...rest } = value
  return [
    { type: "Json<Omit<Dashboard, 'panels'>>", value: rest },
    ...panels.map((panel) => ({ type: PANELS[panel.type] ?? 'never', value: panel })),
  ].map((one) => ({ ...one, declarations: GRAFANA }))
}

const PANELS: Readonly<Record<string, string>> = {
  row: 'Json<RowPanel>',
  stat: "Json<Drawn<'stat', stat.Options, Record<never, never>>>",
  table: "Json<Drawn<'table', table.Options, table.FieldConfig>>",
  timeseries: "Json<Drawn<'timeseries', timeseries.Options, timeseries.FieldConfig>>",
}

export function kubernetesObject(value: { readonly apiVersion: string; readonly kind: string }) {
  const [group = '', version = 'v1'] = value.apiVersion.split('/')
  const module = value.apiVersion === 'v1' ? 'core/v1' : `${group.split('.')[0]}/${version}`
  return {
    type: value.kind,
    declarations: `import type { ${value.kind} } from 'kubernetes-types/${module}'`,
    value,
  }
}
