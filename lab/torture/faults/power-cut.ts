import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { family, signalAll } from '../../processes.ts'
import type { Fault } from '../fault.ts'
import { mount, unmount } from '../mount.ts'
import { privilege } from '../privilege.ts'

/** EXT4_IOC_SHUTDOWN, and its flag for "write nothing more, not even the journal". */
const SHUTDOWN = 0x8004587d
const NO_LOG_FLUSH = 2

const DISK_MIB = 1_024

/** The disk loses all that was not flushed; then the machine starts again. */
export const powerCut: Fault = {
  name: 'power cut',
  what: 'the file system (ext4 on a loop device) is shut down without a flush and mounted again',
  impossible: () => privilege('a power cut', '/dev/loop-control'),
  async prepare() {
    const home = await mkdtemp(join(tmpdir(), 'standing-power-'))
    const [image, dir] = [join(home, 'disk'), join(home, 'data')]
    execFileSync('truncate', ['-s', `${DISK_MIB}M`, image])
    execFileSync('mkfs.ext4', ['-q', '-F', image])
    execFileSync('mkdir', [dir])
    mount('-o', 'loop', image, dir)
    return {
      stage: { nodes: 'embedded', dir: join(dir, 'standing') },
      async remove() {
        await unmount(dir)
        await rm(home, { recursive: true })
      },
    }
  },
  async strike({ stage: { dir, nodes, databasePid } }) {
    const mountPoint = join(dir, '..')
    const image = join(mountPoint, '..', 'disk')
    const server = family(databasePid())
    const code = `open(F, '<', $ARGV[0]) or die; my $flag = pack('L', ${NO_LOG_FLUSH}); ioctl(F, ${SHUTDOWN}, $flag) or die $!`
    execFileSync('perl', ['-e', code, mountPoint])
    await nodes[0]?.end('SIGKILL')
    signalAll(server, 'SIGKILL')
    await unmount(mountPoint)
    mount('-o', 'loop', image, mountPoint)
    await nodes[0]?.start()
  },
}
