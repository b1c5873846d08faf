// The first thing that runs: an older Node would end with a stack about an import it does not have.
const [major, minor] = process.versions.node.split('.').map(Number)
const [majorMin, minorMin] = [20, 19]

if (major < majorMin || (major === majorMin && minor < minorMin)) {
  process.stderr.write(
    `Standing needs Node.js ${majorMin}.${minorMin} or newer; this is ${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org, or build the image of deploy/Dockerfile.\n',
  )
  process.exit(1)
}
