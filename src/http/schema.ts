import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'

/** Schemas take `.openapi(...)`: what the OpenAPI document says of a value beside its type. */
extendZodWithOpenApi(z)

export { z }
