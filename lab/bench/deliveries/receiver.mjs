// A receiver of webhooks in a process of its own: /hang/… never answers, everything else at once.
// On the message "report" it prints what came since the last report.
import { createServer } from 'node:http'

let ids = new Map()
let latencies = []

const server = createServer((request, response) => {
  if (request.url.startsWith('/hang')) {
    return
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    ids.set(id, (ids.get(id) ?? 0) + 1)
    latencies.push(Date.now() - Date.parse(timestamp))
    response.end()
  })
})

process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  if (message === 'report') {
    const sorted = latencies.toSorted((a, b) => a - b)
    const at = (share) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
    const posts = sorted.length
    process.send({ posts, unique: ids.size, p50: at(0.5), p99: at(0.99), max: at(1) })
  }
  if (message === 'forget') {
    ids = new Map()
    latencies = []
    process.send({})
  }
})

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
