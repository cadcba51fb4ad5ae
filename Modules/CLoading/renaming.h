#pragma once

// A library's functions are listed by a macro of one parameter, which it calls for each of them with the type of the result,
// the name, the parameters and the arguments.
//
// This one gives a function a symbol of our own, before the library's header declares it. So the program has none of the
// library's, which another part of it may have linked.
#define RENAME(result, name, parameters, arguments) RENAMING(redefine_extname name clawradar_##name)
#define RENAMING(words) _Pragma(#words)
