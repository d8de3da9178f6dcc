// The commands for clang-query that find each co_await in an operand of ?:, && or || that may not be evaluated, where a
// g++ starts it all the same.
//
// A g++ (12.2 and 16.2 are alike in 1,080 forms of tests/conditional_awaits) makes an `if` of such an operator only
// where nothing stands between it and what it is the whole of; elsewhere it starts the co_await before the expression:
//
// - && and ||: the condition of an `if`, the initialiser of a bool, the right side of = to one, a statement; through
//   ! and the right operands of others, not through a left one;
// - ?: of a number, pointer or enumeration: the same, and through operands of others; converted to nothing;
// - ?: of a class: never. It destroys a value that was never made.
//
// What is reported is all else. A few forms among that are right, such as an operator in a `throw`; to name the value
// is no worse there.
#pragma once

#include <string_view>

namespace tsubu::command {

inline constexpr std::string_view await_query = R"(set print-matcher false
set output diag
set traversal AsIs
let ours unless(isExpansionInSystemHeader())
let in stmt(anyOf(equalsBoundNode("place"), hasDescendant(stmt(equalsBoundNode("place")))))
let awaited stmt(anyOf(coawaitExpr(), dependentCoawaitExpr()), unless(hasAncestor(lambdaExpr(hasAncestor(expr(equalsBoundNode("place")))))))
let holds expr(anyOf(awaited, hasDescendant(awaited)))
let scalar expr(hasType(qualType(anyOf(hasCanonicalType(builtinType()), hasCanonicalType(pointerType()), hasCanonicalType(enumType())))))
let end exprWithCleanups(anyOf(hasParent(compoundStmt()), hasParent(ifStmt()), hasParent(varDecl())))
let whole stmt(anyOf(compoundStmt(), ifStmt(), binaryOperator(hasOperatorName("=")), cStyleCastExpr(hasCastKind("CK_ToVoid")), end))
let alone expr(anyOf(hasParent(whole), hasParent(varDecl())))
let up0 expr(anyOf(alone, hasParent(parenExpr(anyOf(alone, hasParent(parenExpr(alone)))))))
let logic expr(anyOf(unaryOperator(hasOperatorName("!")), binaryOperator(hasAnyOperatorName("&&", "||"))))
let logic1 expr(logic, up0)
let up1 expr(anyOf(up0, hasParent(logic1), hasParent(parenExpr(hasParent(logic1)))))
let logic2 expr(logic, up1)
let up2 expr(anyOf(up0, hasParent(logic2), hasParent(parenExpr(hasParent(logic2)))))
let logic3 expr(logic, up2)
let up3 expr(anyOf(up0, hasParent(logic3), hasParent(parenExpr(hasParent(logic3)))))
let choice1 expr(conditionalOperator(), scalar, up0)
let through1 expr(anyOf(up0, hasParent(choice1), hasParent(parenExpr(hasParent(choice1)))))
let choice2 expr(conditionalOperator(), scalar, through1)
let through2 expr(anyOf(up0, hasParent(choice2), hasParent(parenExpr(hasParent(choice2)))))
let decides hasAncestor(expr(anyOf(binaryOperator(hasAnyOperatorName("&&", "||"), hasLHS(in)), conditionalOperator(hasCondition(in)))))
m binaryOperator(ours, expr().bind("place"), hasAnyOperatorName("&&", "||"), hasRHS(holds), unless(expr(up3, unless(decides))), expr().bind("logic"))
m conditionalOperator(ours, expr().bind("place"), anyOf(hasTrueExpression(holds), hasFalseExpression(holds)), scalar, unless(expr(through2, unless(decides))), expr().bind("choice"))
m conditionalOperator(ours, expr().bind("place"), anyOf(hasTrueExpression(holds), hasFalseExpression(holds)), unless(scalar), expr().bind("class"))
)";

}  // namespace tsubu::command
