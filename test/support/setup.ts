/** Runs before each test file. What it imports runs once in each worker. */
import './equality.ts'
import './properties.ts'
import { afterAll } from 'vitest'
import { endFile } from './at-end.ts'

afterAll(endFile)
