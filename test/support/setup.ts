/** Runs before each test file. What it imports runs once in each worker. */
import './equality.ts'
import './properties.ts'
