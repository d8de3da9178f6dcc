; What an editor colours. Where two patterns fit a node, editors differ in which of them they take; so none do here.

(comment) @comment

["class" "function" "type" "use" "foreign" "obj" "script" "state"] @keyword
["if" "cond" "else" "match" "where"] @keyword.conditional
["while" "for" "break"] @keyword.repeat
["let" "begin" "atomic" "new" ":on" "sync" "sync2" "sync*" "wait-for"] @keyword

(arrow) @operator
(send_arrow) @operator
(operator) @operator
["!" "$" ":="] @operator
(reply_type "@" @operator)
(destination "@" @operator)

(class_name) @type
(builtin_type) @type.builtin
(array_type "array" @type.builtin)
(future_type "future" @type.builtin)

(function (function_name) @function)
(foreign_function (function_name) @function)
(call (function_name) @function.call)
(builtin_function) @function.builtin

(tag) @string.special.symbol

(function (parameter name: (name) @variable.parameter))
(foreign_function (parameter name: (name) @variable.parameter))
(parameters (parameter name: (name) @variable.parameter))
(state_variable name: (name) @variable.member)
(pattern (name) @variable.parameter)

(me) @variable.builtin
[(nil) (wildcard)] @constant.builtin
(boolean) @boolean
(integer) @number
(float) @number.float
(string) @string
(escape) @string.escape
(malformed_number) @error

["(" ")" "[" "]"] @punctuation.bracket
