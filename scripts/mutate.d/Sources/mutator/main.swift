import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

// mutator EXCLUDED FIRST FILE…: writes the mutants of each file into it, and prints a list of them: number, file, line
// and change, separated by tabs. EXCLUDED is a file with the numbers of the mutants to leave out.

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 3, let first = Int(arguments[arguments.startIndex + 1]) else {
    FileHandle.standardError.write(Data("usage: mutator EXCLUDED FIRST FILE…\n".utf8))
    exit(64)
}
let excluded = Set(
    try String(contentsOfFile: arguments[arguments.startIndex], encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
)
var next = first
for file in arguments.dropFirst(2) {
    let source = try String(contentsOfFile: file, encoding: .utf8)
    let parsed = Parser.parse(source: source)
    // An operator of the project's own would be folded wrongly, but there is none.
    guard let tree = OperatorTable.standardOperators.foldAll(parsed, errorHandler: { _ in }).as(SourceFileSyntax.self) else {
        continue
    }
    let finder = MutantFinder(file: file, tree: tree, first: next, excluded: excluded)
    finder.walk(tree)
    next = finder.nextNumber
    for mutant in finder.mutants { print(mutant.number, mutant.file, mutant.line, mutant.change, separator: "\t") }
    try finder.edits.applied(to: source).write(toFile: file, atomically: true, encoding: .utf8)
}
