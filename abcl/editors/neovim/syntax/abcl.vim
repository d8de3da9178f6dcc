" Vim syntax of ABCL/ST.
if exists('b:current_syntax')
  finish
endif
syntax iskeyword @,48-57,_,-,?,*,192-255
syntax keyword abclDefinition class function foreign use state obj script
syntax keyword abclForm if cond else break begin while for let match wait-for sync sync2 sync* new atomic where exit suicide non-resume
syntax keyword abclCall append-file bit-and bit-not bit-or bit-xor clock file? float? index-of int? join more-input? parse-float parse-int random-float random-seed random read-file read-line shift-left shift-right shift-right-zero split substring trim words write-file
syntax keyword abclCall print touch next-value ready? make-future make-array aref subarray length null? my-node num-node str sqrt int float mod and or not
syntax keyword abclType Int Float Bool Str array future
syntax keyword abclConstant true false nil me
" `type` may be the name of a variable, too.
syntax match abclDefinition /(\@1<=type\ze /
syntax match abclTag /:\a[^ ()\[\]!;"$]*/
syntax match abclArrow /\(<<\?==\?\|==\?>>\?\|:=\)\ze[ \[)]/
syntax match abclReply /!/
syntax match abclNumber /\<[-+]\?\d\+\(\.\d*\)\?\(e[-+]\?\d\+\)\?\>/
syntax region abclString start=/"/ skip=/\\./ end=/"/ oneline
syntax match abclComment /;.*/
highlight default link abclDefinition Structure
highlight default link abclForm Statement
highlight default link abclCall Function
highlight default link abclType Type
highlight default link abclConstant Constant
highlight default link abclTag Identifier
highlight default link abclArrow Operator
highlight default link abclReply Operator
highlight default link abclNumber Number
highlight default link abclString String
highlight default link abclComment Comment
let b:current_syntax = 'abcl'
