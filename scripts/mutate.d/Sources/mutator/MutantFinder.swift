import SwiftOperators
import SwiftSyntax

/// Finds the places of one file that can be mutated, and the edits that compile all its mutants into it.
///
/// An expression `e` with a mutant `m` becomes `(mutantIsOn(7) ? m : e)`, and a statement `s` becomes
/// `if !mutantIsOn(7) { s }`. Both keep the lines of the file.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []
    private(set) var edits: [Edit] = []

    private let file: String
    private let locations: SourceLocationConverter
    private let excluded: Set<Int>
    private var next: Int

    /// - Parameters:
    ///   - first: The number of the first mutant.
    ///   - excluded: The numbers of mutants to leave out, because they do not compile or were not drawn. All others
    ///     keep their numbers.
    init(file: String, tree: SourceFileSyntax, first: Int, excluded: Set<Int>) {
        self.file = file
        self.locations = SourceLocationConverter(fileName: file, tree: tree)
        self.next = first
        self.excluded = excluded
        super.init(viewMode: .sourceAccurate)
    }

    /// The number of the next file's first mutant.
    var nextNumber: Int { next }

    // MARK: Expressions

    private static let replacements = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
    ]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator,
            let other = Self.replacements[symbol.text], !isPattern(Syntax(node))
        else { return .visitChildren }
        if symbol.text == "+", node.description.contains("\"") { return .visitChildren }
        let left = node.leftOperand.trimmedDescription
        let right = node.rightOperand.trimmedDescription
        add(Syntax(node), "`\(symbol.text)` becomes `\(other)`", instead: "(\(oneLine(left))) \(other) (\(oneLine(right)))")
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.operator.text == "!" else { return .visitChildren }
        add(Syntax(node), "`!` is left out", instead: "(\(oneLine(node.expression.trimmedDescription)))")
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard !isPattern(Syntax(node)), !isDefault(Syntax(node)) else { return .skipChildren }
        let other = node.literal.text == "true" ? "false" : "true"
        add(Syntax(node), "`\(node.literal.text)` becomes `\(other)`", instead: other)
        return .skipChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        // A condition with an operator at its top already has a mutant.
        guard case .expression(let condition) = node.condition, !condition.is(InfixOperatorExprSyntax.self),
            !condition.is(PrefixOperatorExprSyntax.self), !condition.is(BooleanLiteralExprSyntax.self)
        else { return .visitChildren }
        add(Syntax(condition), "the condition is the opposite", instead: "!(\(oneLine(condition.trimmedDescription)))")
        return .visitChildren
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item, let list = node.parent?.as(CodeBlockItemListSyntax.self),
            !isInitializer(Syntax(node))
        else { return .visitChildren }
        // A body with a single expression may return its value, so a lone call is kept.
        let isAssignment =
            expression.as(InfixOperatorExprSyntax.self).map { infix in
                infix.operator.is(AssignmentExprSyntax.self)
                    || infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text.hasSuffix("=") == true
                        && Self.replacements[infix.operator.trimmedDescription] == nil
            } ?? false
        let isCall = expression.is(FunctionCallExprSyntax.self) && list.count > 1
        guard isAssignment || isCall else { return .visitChildren }
        let number = next
        next += 1
        guard !excluded.contains(number) else { return .visitChildren }
        note(number, at: Syntax(node), "`\(shortened(node.trimmedDescription))` is left out")
        enclose(Syntax(node.item), in: "if !mutantIsOn(\(number)) { ", " }")
        return .visitChildren
    }

    // MARK: Recording

    private func add(_ node: Syntax, _ change: String, instead: String) {
        let number = next
        next += 1
        // A comment in the expression would comment out the text that is put on one line with it.
        guard !excluded.contains(number), !isInlinable(node), !node.trimmedDescription.contains("//") else { return }
        note(number, at: node, change + " in `\(shortened(node.trimmedDescription))`")
        enclose(node, in: "(mutantIsOn(\(number)) ? \(instead) : (", "))")
    }

    private func note(_ number: Int, at node: Syntax, _ change: String) {
        let line = locations.location(for: node.positionAfterSkippingLeadingTrivia).line
        mutants.append(Mutant(number: number, file: file, line: line, change: change))
    }

    private func enclose(_ node: Syntax, in opening: String, _ closing: String) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        edits.append(Edit(offset: start, text: opening, extent: end - start, isEnd: false))
        edits.append(Edit(offset: end, text: closing, extent: end - start, isEnd: true))
    }

    // MARK: Places

    private func isPattern(_ node: Syntax) -> Bool {
        node.ancestor { $0.is(ExpressionPatternSyntax.self) || $0.is(SwitchCaseItemSyntax.self) || $0.is(AttributeSyntax.self) }
    }

    private func isDefault(_ node: Syntax) -> Bool {
        node.parent?.parent?.is(FunctionParameterSyntax.self) == true
    }

    private func isInitializer(_ node: Syntax) -> Bool {
        node.ancestor { $0.is(InitializerDeclSyntax.self) }
    }

    private func isInlinable(_ node: Syntax) -> Bool {
        node.ancestor { ancestor in
            ancestor.asProtocol((any WithAttributesSyntax).self)?.attributes.description.contains("inlinable") == true
        }
    }

    private func oneLine(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            line.drop(while: { $0 == " " }).hasPrefix("//") ? "" : String(line)
        }.joined(separator: " ")
    }

    private func shortened(_ text: String) -> String {
        let line = oneLine(text).split(separator: " ").joined(separator: " ")
        return line.count <= 70 ? line : line.prefix(69) + "…"
    }
}

extension Syntax {
    /// Returns whether any of the nodes around this one matches.
    fileprivate func ancestor(_ isSuch: (Syntax) -> Bool) -> Bool {
        var node = parent
        while let present = node {
            if isSuch(present) { return true }
            node = present.parent
        }
        return false
    }
}
