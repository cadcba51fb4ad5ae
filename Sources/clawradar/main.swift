import DNSSD
import Discovery
@preconcurrency import Glibc
setlinebuf(fdopen(1, "w")); nonisolated(unsafe) let _x = stdout; setlinebuf(_x)
let b = Browser(BrowserConfiguration(types: [try ServiceType("_openclaw._tcp")]), backend: try Backends.system())
let clock = ContinuousClock()
let t0 = clock.now
let task = Task { await b.run() }
let seconds = CommandLine.arguments.count > 1 ? Double(CommandLine.arguments[1])! : 3.0
Task {
  for await c in b.changes {
    switch c {
    case .found(let s): print(t0.duration(to: clock.now), "FOUND", s.instance, s.host ?? "-", s.port ?? 0, s.addresses, s.paths, s.resolution, s.txt?.strings.count ?? -1, s.isOurs)
    case .changed(let s, let a): print(t0.duration(to: clock.now), "CHANGED", s.instance, a, s.addresses, s.paths)
    case .lost(let s, let r): print(t0.duration(to: clock.now), "LOST", s.instance, r)
    }
  }
}
Task { var last = b.status; print(last); while true { try await Task.sleep(for: .milliseconds(20)); if b.status != last { last = b.status; print(t0.duration(to: clock.now), last) } } }
try await Task.sleep(for: .seconds(seconds))
let t1 = clock.now
task.cancel()
await task.value
print("stopped in", t1.duration(to: clock.now), b.services.count, b.warnings)
