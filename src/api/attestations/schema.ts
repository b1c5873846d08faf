import { z } from '../../http/schema.ts'
import {
  ClassificationName,
  ConfidenceName,
  Disputed,
  ExposureLimit,
  ModelVersion,
  Score,
} from '../scores/schema.ts'
import { AgentStatusName, Id, Points, Time } from '../wire.ts'

/** The identifier of the data-only extension of A2A that carries an attestation. */
export const EXTENSION_URI = 'urn:standing:a2a:attestation:1'

const Facts = z.object({
  id: z.string().openapi({ example: 'https://trust.example.com/v1/agents/01931b66' }),
  agentId: Id,
  status: AgentStatusName.openapi({ example: 'active' }),
  score: Points.openapi({ example: 742 }),
  classification: ClassificationName,
  confidence: ConfidenceName,
  interval: Score.shape.interval,
  disputed: Disputed,
  exposureLimit: ExposureLimit,
  eventCount: z.int().openapi({ example: 212 }),
  modelVersion: ModelVersion,
  identifiers: z.array(z.string()).openapi({
    description:
      'Names that the agent has proven. A verifier compares them with what it deals with.',
    example: ['did:web:agent.example.com'],
  }),
})

export const Attestation = z
  .object({
    attestation: z.string().openapi({
      description: 'A Verifiable Credential of the type `StandingAttestation` (VC-JOSE-COSE).',
      example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.e30.c2lnbmF0dXJl',
    }),
    expiresAt: Time,
    subject: Facts.openapi({ description: 'What it states: its `credentialSubject`.' }),
    extension: z
      .object({
        uri: z.literal(EXTENSION_URI),
        description: z.string().openapi({ example: 'The standing of this agent, signed.' }),
        required: z.literal(false),
        params: z.object({
          attestation: z.string().openapi({ example: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl' }),
          refresh: z.string().openapi({
            description: 'Where a fresh one is.',
            example: 'https://trust.example.com/v1/agents/01931b66/attestation',
          }),
        }),
      })
      .openapi({ description: 'For `capabilities.extensions` of an A2A agent card.' }),
    trustManifest: z
      .object({
        type: z.literal('standing-attestation'),
        uri: z.string().openapi({
          example: 'https://trust.example.com/v1/agents/01931b66/attestation',
        }),
        description: z.string().openapi({ example: 'The standing of this agent, signed.' }),
      })
      .openapi({ description: 'For `attestations` of a trust manifest in an AI Catalog.' }),
  })
  .openapi('Attestation')
