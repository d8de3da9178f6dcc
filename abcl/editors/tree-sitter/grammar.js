// A tree-sitter grammar of ABCL/ST, for editors: what docs/abcl/reference.md has under Lexis and Grammar, a little wider.
//
// What the compiler tells better is let through: types that do not fit, names that nobody has defined, the place of an
// assignment. Brackets, words, and the order of the parts of a form are checked here.

// A word is any run of characters up to a space, a bracket, or one of `! ; " $`. Words of operator characters only are
// reserved, and what begins like a number has to be one; so a name is a word that is neither of these.
const ends = ' \\t\\r\\n\\f()\\[\\]!;"$';
const operators = '<>=:+\\-*/@';
const any = `[^${ends}]*`;
const plain = `[^${ends}${operators}]`; // a character that makes a name of a run of operator characters
const name = [
  `[^${ends}${operators}0-9.]${any}`,
  `\\.([^${ends}0-9]${any})?`,
  `[<>=*/@][${operators}]*${plain}${any}`,
  // A sign, and no number behind it.
  `[+\\-]([^${ends}${operators}0-9.]${any}|\\.([^${ends}0-9]${any})?|[${operators}]+${plain}${any})`,
  // A colon, and no letter behind it, which would make a tag of it.
  `:([${operators}]+${plain}${any}|[0-9._'?&%#^~|\\\\{}\`,]${any})`,
].join('|');
const letter = '[^\\x00-@\\[-`{-\\x7f]';

const round = (...parts) => seq('(', ...parts, ')');
const square = (...parts) => seq('[', ...parts, ']');

module.exports = grammar({
  name: 'abcl',

  extras: $ => [/[ \t\r\n\f]/, $.comment],
  word: $ => $.name,
  supertypes: $ => [$._definition, $._type, $._expression, $._literal],

  rules: {
    program: $ => repeat($._definition),

    comment: _ => token(seq(';', /[^\n]*/)),

    // ---- definitions

    _definition: $ => choice($.class, $.function, $.type_definition, $.use, $.foreign),

    use: $ => round('use', field('file', $.string)),

    // What a program has of C++: the header and sources, and the names there of functions and classes.
    foreign: $ => round(
      'foreign', repeat1(field('file', $.string)), repeat(choice($.foreign_function, $.foreign_class))),
    foreign_function: $ => round(
      'function',
      round(field('name', alias($.name, $.function_name)), repeat($.parameter)),
      field('result', $._type),
      field('of', $.string),
    ),
    foreign_class: $ => square(
      'class',
      field('name', alias($.name, $.class_name)),
      field('interface', choice($.interface, alias($.name, $.class_name))),
      field('arguments', $.parameters),
      field('of', $.string),
    ),

    class: $ => square(
      'class',
      field('name', alias($.name, $.class_name)),
      field('interface', choice($.interface, alias($.name, $.class_name))),
      field('arguments', $.parameters),
      optional(field('state', $.state)),
      repeat($._expression),
      optional($.script),
    ),

    interface: $ => round('obj', repeat($.message_type)),
    parameters: $ => round(repeat($.parameter)),
    parameter: $ => round(field('type', $._type), field('name', $.name)),
    state: $ => round('state', repeat($.state_variable)),
    state_variable: $ => round(
      field('type', $._type), field('name', $.name), optional(seq(':=', field('value', $._expression)))),

    function: $ => round(
      'function',
      round(field('name', alias($.name, $.function_name)), repeat($.parameter)),
      field('result', $._type),
      repeat1($._expression),
    ),

    // A name for a type: a word as the names of classes are.
    type_definition: $ => round('type', field('name', alias($.name, $.class_name)), field('type', $._type)),

    script: $ => round('script', repeat($.clause)),

    // ---- types

    _type: $ => choice(
      $.builtin_type, alias($.name, $.class_name), $.interface, $.message_type, $.reply_type, $.array_type, $.future_type),

    builtin_type: _ => choice('Int', 'Float', 'Bool', 'Str'),
    message_type: $ => square(optional($.tag), repeat($._type)),
    reply_type: $ => round('@', $._type),
    array_type: $ => round('array', $._type),
    future_type: $ => round('future', $._type),

    // ---- clauses

    clause: $ => round(
      field('arrow', $.arrow),
      field('pattern', $.pattern),
      optional(seq('where', field('guard', $._expression))),
      repeat($._expression),
    ),

    arrow: _ => choice('=>', '==>', '=>>', '==>>'),
    pattern: $ => square(optional($.tag), repeat(choice($.name, $._literal, $.wildcard))),
    wildcard: _ => '_',

    // ---- expressions

    _expression: $ => choice(
      $._literal,
      $.name,
      $.me,
      $.reply,
      $.send,
      $.assignment,
      $.message,
      $.new,
      $.sync,
      $.sync_all,
      $.destination,
      $.wait_for,
      $.match,
      $.if,
      $.cond,
      $.break,
      $.block,
      $.while,
      $.for,
      $.let,
      $.builtin_call,
      $.operation,
      $.call,
    ),

    me: _ => 'me',
    reply: $ => seq('!', field('value', $._expression)),

    send: $ => square(
      field('target', $._expression),
      choice(
        seq(field('arrow', alias(choice('<=', '<<='), $.send_arrow)),
          field('message', $._expression),
          optional(seq('$', field('future', $._expression)))),
        seq(field('arrow', alias(choice('<==', '<<=='), $.send_arrow)), field('message', $._expression)),
      ),
    ),

    assignment: $ => square(field('place', $._expression), ':=', field('value', $._expression)),
    message: $ => square(optional($.tag), repeat($._expression)),

    new: $ => round(
      'new',
      field('class', alias($.name, $.class_name)),
      repeat($._expression),
      optional(seq(':on', field('node', $._expression))),
    ),

    sync: $ => round(choice('sync', 'sync2'), field('box', $.name), repeat1($._expression)),
    sync_all: $ => round('sync*', round(repeat1(field('box', $.name))), repeat1($._expression)),
    destination: $ => round('@', field('box', $.name)),
    wait_for: $ => round('wait-for', repeat1($.clause)),
    match: $ => round('match', field('value', $._expression), repeat1($.clause)),

    if: $ => round(
      'if', field('condition', $._expression), field('then', $._expression), optional(field('else', $._expression))),
    cond: $ => round('cond', repeat1($.branch)),
    branch: $ => round(choice(field('condition', $._expression), 'else'), repeat1($._expression)),
    break: _ => seq('(', 'break', ')'),
    block: $ => round(choice('begin', 'atomic'), repeat($._expression)),
    while: $ => round('while', field('condition', $._expression), repeat($._expression)),
    for: $ => round(
      'for',
      round(field('counter', $.name), field('from', $._expression), field('below', $._expression)),
      repeat($._expression),
    ),
    let: $ => round('let', round(repeat($.binding)), repeat($._expression)),
    binding: $ => round(field('type', $._type), field('name', $.name), optional(field('value', $._expression))),

    builtin_call: $ => round(field('function', $.builtin_function), repeat($._expression)),
    builtin_function: _ => choice(
      'touch', 'next-value', 'ready?', 'make-future', 'make-array', 'array', 'aref', 'subarray', 'length', 'null?', 'my-node',
      'num-node', 'print', 'expect', 'exit', 'suicide', 'non-resume'),

    operation: $ => round(field('operator', $.operator), repeat1($._expression)),
    operator: _ => choice(
      '+', '-', '*', '/', 'mod', '=', '/=', '<', '>', '<=', '>=', 'and', 'or', 'not', 'sqrt', 'int', 'float', 'str'),

    call: $ => round(field('function', alias($.name, $.function_name)), repeat($._expression)),

    // ---- words

    _literal: $ => choice($.integer, $.float, $.malformed_number, $.string, $.boolean, $.nil),

    boolean: _ => choice('true', 'false'),
    nil: _ => 'nil',
    integer: _ => /[+-]?[0-9]+/,
    float: _ => /[+-]?(([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)/,
    // It begins like a number and is none, so it is no name either.
    malformed_number: _ => new RegExp(`[+\\-]?\\.?[0-9]${any}`),

    string: $ => seq('"', repeat(choice($.string_content, $.escape)), '"'),
    string_content: _ => token.immediate(prec(1, /[^"\\\n]+/)),
    escape: _ => token.immediate(/\\[nt"\\]/),

    tag: _ => new RegExp(`:${letter}${any}`),
    name: _ => new RegExp(name),
  },
});
