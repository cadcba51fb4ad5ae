// The tool. Everything it does is in `Commands`, where tests can reach it.

import Commands
import Console

// Not asynchronous: with too few descriptors, Dispatch would end the process before the first task runs.
CommandLineTool.prepare()
Task.detached { await CommandLineTool.run() }
Signals.parkMainThread()
