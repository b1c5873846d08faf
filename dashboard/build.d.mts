export function buildDashboard(dist?: string): Promise<readonly unknown[]>
export function isDashboardBuilt(dist?: string): Promise<boolean>
