// The reference gateway as a program. Its options and verbs are beside this file; what it shares with the tool is in
// `Console`.

import Console

// Not asynchronous: with too few descriptors, Dispatch would end the process before the first task runs.
CommandLineTool.prepare()
Task.detached { await CommandLineTool.run(GatewayCommand.self) }
Signals.parkMainThread()
