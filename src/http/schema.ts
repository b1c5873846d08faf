import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'

/** Schemas have `.openapi(...)`: what the OpenAPI document says about a value besides its type. */
extendZodWithOpenApi(z)

export { z }
