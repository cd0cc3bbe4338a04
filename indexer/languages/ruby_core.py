"""Names of the methods that Ruby's own objects have: without a definition of ours they lead nowhere."""

_WORDS = """
! != !~ % & * + - / < << <= <=> == === =~ > >= [] []= ^ abs all? any? append array? ascii_only?
assoc at b between? bind binmode bytes bytesize byteslice capitalize capitalize! casecmp casecmp?
ceil center chars chomp chomp! chop chr class clear clone close closed? codepoints collect
collect! combination compact compact! concat const_defined? const_get const_missing const_set
constants count crypt cycle day default default= default_proc delete delete! delete_at delete_if
delete_prefix delete_suffix detect dig display div divmod downcase downcase! downto drop
drop_while dump dup each each_byte each_char each_cons each_entry each_index each_key each_line
each_pair each_slice each_value each_with_index each_with_object empty? encode encode! encoding
end_with? entries eof? eql? equal? even? exclude? extend fetch fetch_values fileno fill filter
filter! filter_map find find_all find_index first flat_map flatten flatten! floor flush
force_encoding freeze frozen? getbyte gets grep grep_v group_by gsub gsub! has_key? has_value?
hash hex hour include? index inject insert inspect instance_eval instance_exec instance_methods
instance_of? instance_variable_defined? instance_variable_get instance_variable_set
instance_variables integer? intern invert is_a? itself join keep_if key key? keys kind_of? last
lazy length lines ljust lstrip map map! match match? max max_by member? merge merge! method
method_defined? methods min min_by minmax month name namespace negative? new_offset next nil?
none? nonzero? now object_id oct odd? one? ord pack partition permutation pop pos positive? pred
prepend private_method_defined? product public_instance_methods push puts rand rassoc read
readline readlines reduce rehash reject reject! remove_const remove_instance_variable replace
respond_to? reverse reverse! reverse_each rewind rindex rjust rotate round rstrip sample scan
scrub seek select select! set_encoding shift shuffle singleton_class singleton_methods size skip
slice slice! sort sort! sort_by sort_by! source split squeeze start_with? step store strftime
string strip strip! sub sub! succ sum swapcase sync sync= take take_while tally tap tell then
times to_a to_ary to_enum to_f to_h to_hash to_i to_int to_io to_path to_proc to_r to_s to_set
to_str to_sym tr transform_keys transform_values transpose truncate undef_method unicode_normalize
union uniq uniq! unpack unpack1 unshift upcase upcase! update upto utc valid_encoding? value?
values values_at with_index with_object write year yield_self zero? zip | ~
"""
CORE = frozenset(_WORDS.split())
