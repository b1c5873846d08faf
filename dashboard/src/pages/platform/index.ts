export { Decide } from './decide.tsx'
export { Policies } from './policies/policies.tsx'
