// The tool. Everything it does is in `Commands`, where tests can reach it.

import Commands

await CommandLineTool.run()
