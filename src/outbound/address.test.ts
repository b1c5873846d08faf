import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { createPolicy, isAllowedAddress, isListedAddress } from './address.ts'

const PUBLIC_ONLY = createPolicy([])

const FORBIDDEN = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private, its end'],
  ['100.64.0.1', 'CGNAT'],
  ['100.127.255.255', 'CGNAT, its end'],
  ['100.100.100.200', 'Alibaba metadata'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback, its end'],
  ['168.63.129.16', 'Azure host agent'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata'],
  ['169.254.170.2', 'container credentials'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private, its end'],
  ['192.0.0.1', 'IETF'],
  ['192.0.0.192', 'Oracle metadata'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay'],
  ['192.168.1.1', 'private'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmark'],
  ['198.19.255.255', 'benchmark, its end'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast, its end'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback in full'],
  ['::127.0.0.1', 'IPv4-compatible loopback'],
  ['::8.8.8.8', 'IPv4-compatible, though of a public address'],
  ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
  ['::ffff:7f00:1', 'IPv4-mapped loopback in hex'],
  ['::FFFF:7F00:0001', 'IPv4-mapped loopback in capitals'],
  ['0:0:0:0:0:ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
  ['::ffff:10.1.2.3', 'IPv4-mapped private'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated loopback'],
  ['::ffff:0:8.8.8.8', 'IPv4-translated, though of a public address'],
  ['64:ff9b::127.0.0.1', 'NAT64 loopback'],
  ['64:ff9b::a9fe:a9fe', 'NAT64 metadata'],
  ['64:ff9b::8.8.8.8', 'NAT64, though of a public address'],
  ['64:ff9b:1::10.0.0.1', 'local NAT64'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['2001::1', 'Teredo'],
  ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo of 127.0.0.1'],
  ['2001:2::1', 'benchmark'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:4:112::1', 'AS112'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::', '6to4 loopback'],
  ['2002:a9fe:a9fe::1', '6to4 metadata'],
  ['2002:808:808::1', '6to4, though of a public address'],
  ['2620:4f:8000::1', 'AS112'],
  ['3ffe::1', '6bone'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not given out'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd12:3456:789a::1', 'unique local'],
  ['fd00:ec2::254', 'AWS metadata'],
  ['fd20:ce::254', 'Google metadata'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['2606:4700::1111%eth0', 'a zone on a public address'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['', 'nothing'],
  ['localhost', 'a name'],
  ['127.1', 'not an address as sockets have them'],
  ['1.2.3.4:80', 'with a port'],
  [' 8.8.8.8', 'with a space'],
] as const

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.20.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
]

describe('without an allow-list', () => {
  test.each(FORBIDDEN)('%s is refused (%s)', (ip) => {
    expect(isAllowedAddress(ip, PUBLIC_ONLY)).toBe(false)
  })

  test.each(PUBLIC)('%s is allowed', (ip) => {
    expect(isAllowedAddress(ip, PUBLIC_ONLY)).toBe(true)
  })

  test('an IPv4 address mapped to IPv6 has the same verdict, and other embeddings are refused', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const allowed = isAllowedAddress(ip, PUBLIC_ONLY)
        expect(isAllowedAddress(`::ffff:${ip}`, PUBLIC_ONLY)).toBe(allowed)
        const hex = new URL(`http://[::ffff:${ip}]/`).hostname.slice(1, -1)
        expect(isAllowedAddress(hex, PUBLIC_ONLY)).toBe(allowed)
        for (const prefix of ['::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']) {
          expect(isAllowedAddress(`${prefix}${ip}`, PUBLIC_ONLY)).toBe(false)
        }
      }),
      { numRuns: drawn(1000) },
    )
  })

  test('an IPv6 address outside 2000::/3 is refused', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        const first = Number.parseInt(ip.startsWith('::') ? '0' : ip, 16)
        const isMapped = /^(::|(0+:){5})ffff:/i.test(ip)
        if (first < 0x2000 || first > 0x3fff) {
          expect(isAllowedAddress(ip, PUBLIC_ONLY) && !isMapped).toBe(false)
        }
      }),
      { numRuns: drawn(1000) },
    )
  })

  test('no address is listed, so no address can be reached by plain http', () => {
    expect(PUBLIC.some((ip) => isListedAddress(ip, PUBLIC_ONLY))).toBe(false)
  })
})

describe('an allow-list', () => {
  test('admits its ranges, in every spelling, and nothing else', () => {
    const policy = createPolicy(['127.0.0.0/8', '10.1.0.0/16', '::1'])
    for (const ip of ['127.0.0.1', '::ffff:127.9.9.9', '::ffff:a01:203', '10.1.2.3', '::1']) {
      expect([ip, isAllowedAddress(ip, policy), isListedAddress(ip, policy)]).toEqual([
        ip,
        true,
        true,
      ])
    }
    for (const ip of ['10.2.0.1', '192.168.0.1', '::2', '::127.0.0.1', '64:ff9b::7f00:1']) {
      expect([ip, isAllowedAddress(ip, policy)]).toEqual([ip, false])
    }
  })

  test('leaves public addresses allowed but not listed', () => {
    const policy = createPolicy(['127.0.0.0/8'])
    expect(isAllowedAddress('8.8.8.8', policy)).toBe(true)
    expect(isListedAddress('8.8.8.8', policy)).toBe(false)
  })

  test('that covers everything still excludes metadata, link-local and non-host addresses', () => {
    const policy = createPolicy(['0.0.0.0/0', '::/0'])
    const never = [
      '0.0.0.0',
      '169.254.169.254',
      '169.254.170.2',
      '::ffff:169.254.169.254',
      '::a9fe:a9fe',
      '64:ff9b::169.254.169.254',
      '2002:a9fe:a9fe::1',
      '2001:0:4136:e378:8000:63bf:5601:5601',
      '100.100.100.200',
      '168.63.129.16',
      'fd00:ec2::254',
      'fe80::1',
      '224.0.0.1',
      'ff02::1',
      '255.255.255.255',
      '::',
    ]
    for (const ip of never) {
      expect([ip, isAllowedAddress(ip, policy)]).toEqual([ip, false])
    }
    for (const ip of ['10.0.0.1', '127.0.0.1', '::1', 'fd12::1']) {
      expect([ip, isAllowedAddress(ip, policy)]).toEqual([ip, true])
    }
  })

  test('of one address family does not apply to the other', () => {
    expect(isAllowedAddress('10.0.0.1', createPolicy(['::/0']))).toBe(false)
    expect(isAllowedAddress('::1', createPolicy(['0.0.0.0/0']))).toBe(false)
  })

  test('of NAT64 admits only the public addresses behind it', () => {
    const policy = createPolicy(['64:ff9b::/96'])
    expect(isAllowedAddress('64:ff9b::8.8.8.8', policy)).toBe(true)
    expect(isAllowedAddress('64:ff9b::10.0.0.1', policy)).toBe(false)
  })

  test.each([
    ['10.0.0.0/33', 'prefix longer than 32 bits'],
    ['fd12::/129', 'prefix longer than 128 bits'],
    ['10.0.0.5/8', 'bits set behind its prefix'],
    ['fd12::1/32', 'bits set behind its prefix'],
    ['localhost', 'not an address range'],
    ['', 'not an address range'],
    ['10.0.0.0/8,127.0.0.0/8', 'not an address range'],
    ['10.0.0.0/', 'not an address range'],
    ['10.0.0.0/-1', 'not an address range'],
    ['127.1/8', 'not an address range'],
    ['::ffff:10.0.0.0/104', 'write it as IPv4'],
    ['169.254.169.254', 'can never be allowed'],
    ['169.254.0.0/16', 'can never be allowed'],
    ['fe80::/64', 'can never be allowed'],
    ['fd00:ec2::254/128', 'can never be allowed'],
  ])('with the entry "%s" is an error: %s', (cidr, message) => {
    expect(() => createPolicy(['127.0.0.0/8', cidr])).toThrow(message)
    expect(() => createPolicy([cidr])).toThrow(`"${cidr}"`)
  })
})
